"""The compiler of typed effects to the kernel's instruction set."""
