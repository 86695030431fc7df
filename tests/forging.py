"""Tables with the right checks that say what no table says."""

import json
import struct
import zlib

MARK = b"\x89perfectplay\r\n\x1a\n"
TAIL = struct.Struct("<QIII")


def taken_apart(data):
    """The blocks as one, the index and the header of a table."""
    tail = len(data) - len(MARK) - TAIL.size
    index_length, header_length, _, _ = TAIL.unpack(data[tail : tail + TAIL.size])
    header = data[tail - header_length : tail]
    index = data[tail - header_length - index_length : tail - header_length]
    return data[len(MARK) : tail - header_length - index_length], index, json.loads(header)


def put_together(blocks, index, header):
    """A table of these, with the right checks; a header that is bytes is taken as it is."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    tail = TAIL.pack(len(index), len(text), zlib.crc32(index), zlib.crc32(text))
    return MARK + blocks + index + text + tail + MARK


def entries_of(index, key_bytes):
    """The first key, the length and the check of each block in an index."""
    size = key_bytes + 8
    cut = [index[i : i + size] for i in range(0, len(index), size)]
    return [(int.from_bytes(entry[:key_bytes], "little"), *struct.unpack("<II", entry[key_bytes:])) for entry in cut]


def index_of(entries, key_bytes):
    """The index with these entries."""
    return b"".join(key.to_bytes(key_bytes, "little") + struct.pack("<II", *rest) for key, *rest in entries)
