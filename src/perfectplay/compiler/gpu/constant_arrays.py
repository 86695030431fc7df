# mypy: ignore-errors
"""Lookup tables of rules, on a GPU."""

from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic

NOWHERE = -(1 << 62)
"""The result of an invalid lookup: no word, key, outcome or set of moves that the loops would accept."""


def listed(numbers):
    """A function that gives the number at an index; a negative index counts from the end.

    A tuple would compile to a chain of comparisons, and constant memory serialises threads that read different
    indices. In global memory, in the narrowest type, one cache line serves all threads: exploring fading:6,3 takes a
    quarter of the time.
    """
    if config.ENABLE_CUDASIM:
        return numbers.__getitem__
    longest = max(number.bit_length() for number in numbers)
    width = next(bits for bits in (8, 16, 32, 64) if longest < bits)

    @intrinsic
    def look(context, place):
        def generate(context, builder, signature, arguments):
            values = ir.Constant(ir.ArrayType(ir.IntType(width), len(numbers)), list(numbers))
            name = builder.module.get_unique_name("listed")
            table = ir.GlobalVariable(builder.module, values.type, name, addrspace=1)
            table.initializer, table.linkage, table.global_constant = values, "internal", True
            at = context.cast(builder, arguments[0], signature.args[0], types.int64)
            zero, size = ir.Constant(at.type, 0), ir.Constant(at.type, len(numbers))
            at = builder.select(builder.icmp_signed("<", at, zero), builder.add(at, size), at)
            there = builder.icmp_unsigned("<", at, size)
            value = builder.load(cgutils.gep(builder, table, 0, builder.select(there, at, zero)))
            value = builder.sext(value, ir.IntType(64)) if width < 64 else value
            return builder.select(there, value, ir.Constant(ir.IntType(64), NOWHERE))

        return types.int64(place), generate

    return look
