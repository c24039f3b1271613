"""Reads text files of unknown origin: finds the encoding, refuses what cannot be a card file, and never takes long.

Card files come from the game's tools (UTF-16 with a byte-order mark), from editors (UTF-8, with or without a mark)
and from accidents (truncated downloads, archives with a wrong suffix), so the first question is always what the bytes
are.
"""

import stat
from pathlib import Path

from apotheosis.env.errors import InputError

MAX_BYTES = 16 * 1024 * 1024
"""The largest card file that is read; the game's whole database takes about 3 MB in UTF-16."""

_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8"))


def decode(data: bytes, where: str) -> str:
    """Decodes the bytes of a text file by their byte-order mark, UTF-8 where there is none.

    Args:
        data: the whole file.
        where: how messages call the file.

    Raises:
        InputError: the bytes are not text in one of the three encodings.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :]
    if encoding != "utf-8" and len(body) % 2:
        raise InputError(f"a UTF-16 file has an even number of bytes, this one has {len(data)}: it is truncated", where)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} cannot be read as {encoding.upper()}; allowed are UTF-8 and UTF-16 (with its mark)",
            where,
        ) from None
    if "\x00" in text[:4096]:
        raise InputError("the file holds zero bytes: it is not text, or UTF-16 without a byte-order mark", where)
    return text


def read_text(path: str | Path, max_bytes: int = MAX_BYTES) -> str:
    """Reads a text file in UTF-8 or in UTF-16 with a byte-order mark.

    Args:
        path: the file.
        max_bytes: the size above which the file is refused unread.

    Raises:
        InputError: the file is missing, unreadable, too large, empty or not text.
    """
    file = Path(path)
    where = str(path)
    try:
        state = file.stat()
        size = state.st_size
        if stat.S_ISDIR(state.st_mode):
            raise InputError("a file is expected, this is a folder", where)
        if not stat.S_ISREG(state.st_mode):
            raise InputError("a file is expected, this is a pipe or a device", where)
        if size > max_bytes:
            raise InputError(f"the file has {size} bytes; at most {max_bytes} are read", where)
        data = file.read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", where) from None
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", where) from None
    text = decode(data, where)
    if not text.strip():
        raise InputError("the file is empty", where)
    return text
