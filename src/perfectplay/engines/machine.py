"""Single machine instructions that numba has no name for."""

from typing import Any

from llvmlite import ir

from perfectplay.engines.mended import intrinsic, overload_method, types


@intrinsic
def ones(typing: Any, word: Any) -> Any:
    """How many bits of a 64-bit word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing: Any, word: Any) -> Any:
    """The number of the lowest set bit of a 64-bit word that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def fetch(typing: Any, array: Any, at: Any) -> Any:
    """Asks for array[at] of a one-dimensional array to be brought into the cache, and goes on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(prefetch, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@overload_method(types.Integer, "bit_count")
def bit_count(word):  # type: ignore[no-untyped-def]  # numba compares the two signatures
    """What `word.bit_count()` in rules compiles to; words are never negative."""

    def count(word):  # type: ignore[no-untyped-def]
        return ones(word)  # type: ignore[call-arg]

    return count


@intrinsic
def width(typing: Any, word: Any) -> Any:
    """How many bits a 64-bit word takes: the number of its highest set bit, counted from 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.int64), generate


@overload_method(types.Integer, "bit_length")
def bit_length(word):  # type: ignore[no-untyped-def]
    """What `word.bit_length()` in rules compiles to; words are never negative."""

    def length(word):  # type: ignore[no-untyped-def]
        return width(word)  # type: ignore[call-arg]

    return length
