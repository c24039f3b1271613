"""The rules kernel: compiled functions over one match record and one pool of cards. Nothing here reads or prints."""
