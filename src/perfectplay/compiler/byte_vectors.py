# mypy: ignore-errors
"""Vector instructions that turn a word into bytes of 0 and 1, sixteen at once."""

import sys

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

BYTE, INDEX, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def vector_width(masks):
    """The number of entries to write at once, 16 or 8; 0 if a mask is wider than a byte, or there are too few."""
    narrow = all(mask >> byte_of(mask) * 8 < 256 for mask in masks)
    return next((width for width in (16, 8) if narrow and width <= len(masks)), 0) if sys.byteorder == "little" else 0


def byte_of(mask):
    """The byte of a word in which the lowest bit of a mask is."""
    return max((mask & -mask).bit_length() - 1, 0) // 8


def spread(masks, values):
    """A function of an array of bytes, a place in it and a word, which writes there for each mask if it has the value.

    The last vector begins earlier than the one before ends, unless they fit exactly: it writes some entries twice.
    """
    width = vector_width(masks)
    begins = [*range(0, len(masks) - width, width), len(masks) - width]

    def constant(kind, numbers):
        return ir.Constant(ir.VectorType(kind, width), [kind(number) for number in numbers])

    @intrinsic
    def write(context, out, place, word):
        def generate(context, builder, signature, arguments):
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            data = builder.bitcast(array.data, BYTE.as_pointer())
            halves = builder.bitcast(arguments[2], ir.VectorType(BYTE, 8))
            for begin in begins:
                window_masks, window_values = masks[begin : begin + width], values[begin : begin + width]
                lanes = builder.shuffle_vector(halves, halves, constant(INDEX, map(byte_of, window_masks)))
                bits = builder.and_(lanes, constant(BYTE, [mask >> 8 * byte_of(mask) for mask in window_masks]))
                expected = [value >> 8 * byte_of(mask) for mask, value in zip(window_masks, window_values, strict=True)]
                flags = builder.zext(builder.icmp_unsigned("==", bits, constant(BYTE, expected)), bits.type)
                target = builder.gep(data, [builder.add(arguments[1], WORD(begin))])
                builder.store(flags, builder.bitcast(target, bits.type.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.int64), generate

    return write
