# mypy: ignore-errors
"""Words of up to 126 bits for numba: a signed integer of 128 bits that mixes with numba's own integers.

Python's integers enter compiled code as `Wide`, and leave it as plain ones. Arrays hold a word as two halves of 63
bits, neither of them negative. LLVM does the arithmetic. Division is not here: LLVM would call a library that numba
does not link (`int128_guards.py` has it).
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from perfectplay.compiler.integers.word_halves import HALF, Wide, whole
from perfectplay.compiler.numba_compat import (
    AbstractTemplate,
    Conversion,
    NativeValue,
    box,
    infer_global,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_constant,
    models,
    register_model,
    signature,
    typeof_impl,
    types,
    unbox,
)

LONG, SHORT = ir.IntType(128), ir.IntType(64)


class WideType(types.Type):
    """The type of such words in compiled code; another integer becomes one where they meet."""

    def __init__(self) -> None:
        super().__init__(name="wide")

    def can_convert_from(self, typing: Any, other: Any) -> Any:
        """Integers and truth values can become words."""
        return Conversion.promote if is_narrow(other) else None

    def unify(self, typing: Any, other: Any) -> Any:
        """A variable that is a word here and another integer there is a word."""
        return self if is_narrow(other) else None


WIDE = WideType()


def is_narrow(kind: Any) -> bool:
    """Whether this is one of numba's own integers."""
    return isinstance(kind, types.Integer | types.Boolean)


@typeof_impl.register(Wide)
def type_of_wide(value: Wide, context: Any) -> WideType:
    """The type of a Python value."""
    return WIDE


@register_model(WideType)
class WideModel(models.PrimitiveModel):
    """The word in memory."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LONG)


@lower_constant(WideType)
def constant(context: Any, builder: Any, kind: Any, value: int) -> Any:
    """A constant of the rules."""
    return LONG(int(value))


def widen(builder: Any, value: Any, kind: Any) -> Any:
    """The value of that type as a word."""
    if kind == WIDE:
        return value
    unsigned = isinstance(kind, types.Boolean) or not kind.signed
    return builder.zext(value, LONG) if unsigned else builder.sext(value, LONG)


@lower_cast(types.Integer, WideType)
@lower_cast(types.Boolean, WideType)
def from_narrow(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """An integer or a truth value becomes a word."""
    return widen(builder, value, source)


@unbox(WideType)
def from_python(kind: Any, value: Any, c: Any) -> Any:
    """A word from Python."""
    parts = []
    for name, read in (("low", c.pyapi.long_as_ulonglong), ("high", c.pyapi.long_as_longlong)):
        part = c.pyapi.object_getattr_string(value, name)
        parts.append(read(part))
        c.pyapi.decref(part)
    word = join_halves(c.builder, *parts, 64)
    return NativeValue(word, is_error=c.pyapi.c_api_error())


@box(WideType)
def to_python(kind: Any, value: Any, c: Any) -> Any:
    """A word for Python."""
    function = c.pyapi.unserialize(c.pyapi.serialize_object(whole))
    high = c.builder.trunc(c.builder.ashr(value, LONG(64)), SHORT)
    parts = [c.pyapi.long_from_ulonglong(c.builder.trunc(value, SHORT)), c.pyapi.long_from_longlong(high)]
    number = c.pyapi.call_function_objargs(function, parts)
    for one in (function, *parts):
        c.pyapi.decref(one)
    return number


def join_halves(builder: Any, low: Any, high: Any, bits: int = HALF) -> Any:
    """The word whose lower half, of that many bits, and upper half are these."""
    return builder.or_(builder.shl(builder.sext(high, LONG), LONG(bits)), builder.zext(low, LONG))


def split_halves(builder: Any, word: Any) -> tuple[Any, Any]:
    """The halves of a word."""
    low = builder.and_(builder.trunc(word, SHORT), SHORT((1 << HALF) - 1))
    return low, builder.trunc(builder.ashr(word, LONG(HALF)), SHORT)


def define(function: Callable[..., Any], result: Any, generate: Callable[..., Any]) -> None:
    """Lets compiled code call a function of Python on words, or on a word and another integer."""

    @infer_global(function)
    class Typed(AbstractTemplate):
        def generic(self, arguments: Any, keywords: Any) -> Any:
            kinds = [types.unliteral(one) for one in arguments]
            if WIDE in kinds and all(one == WIDE or is_narrow(one) for one in kinds):
                return signature(result, *kinds)
            return None

    def implementation(context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
        return generate(builder, *map(widen, [builder] * len(arguments), arguments, typed.args))

    mixed = [pair for kind in NARROW for pair in ((WIDE, kind), (kind, WIDE))]
    for kinds in [(WIDE,)] if function in OF_ONE else [(WIDE, WIDE), *mixed]:
        lower_builtin(function, *kinds)(implementation)


NARROW = (types.Integer, types.Boolean)
OF_ONE = (operator.neg, operator.pos, operator.invert, operator.not_, bool)
BINARY = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.lshift: "shl",
    operator.rshift: "ashr",
}
COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
for plain, instruction in BINARY.items():
    in_place = getattr(operator, f"i{plain.__name__.strip('_')}")
    for one in (plain, in_place):
        define(one, WIDE, lambda builder, a, b, name=instruction: getattr(builder, name)(a, b))
for plain, sign in COMPARISONS.items():
    define(plain, types.boolean, lambda builder, a, b, sign=sign: builder.icmp_signed(sign, a, b))
define(operator.neg, WIDE, lambda builder, a: builder.neg(a))
define(operator.pos, WIDE, lambda builder, a: a)
define(operator.invert, WIDE, lambda builder, a: builder.not_(a))
define(operator.not_, types.boolean, lambda builder, a: builder.icmp_signed("==", a, LONG(0)))
define(bool, types.boolean, lambda builder, a: builder.icmp_signed("!=", a, LONG(0)))


@intrinsic
def wide(typing: Any, number: Any) -> Any:
    """The number as a word."""

    def generate(context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
        return widen(builder, arguments[0], typed.args[0])

    return WIDE(types.unliteral(number)), generate


@intrinsic
def narrow(typing: Any, number: Any) -> Any:
    """The number as an integer of 64 bits, in which it is known to fit."""

    def generate(context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
        return builder.trunc(arguments[0], SHORT) if typed.args[0] == WIDE else arguments[0]

    return types.int64(number if number == WIDE else types.int64), generate


@intrinsic
def joined(typing: Any, low: Any, high: Any) -> Any:
    """The word with these halves."""

    def generate(context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
        return join_halves(builder, *arguments)

    return WIDE(types.int64, types.int64), generate


def word_function(generate: Callable[..., Any], text: str) -> Any:
    """A function from a word, or another integer, to an integer of 64 bits."""

    @intrinsic
    def function(typing: Any, number: Any) -> Any:
        def implementation(context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
            result = generate(builder, widen(builder, arguments[0], typed.args[0]))
            return result if result.type == SHORT else builder.trunc(result, SHORT)

        return types.int64(types.unliteral(number)), implementation

    function.__doc__ = text
    return function


TRUE, FALSE = ir.IntType(1)(1), ir.IntType(1)(0)
ones = word_function(lambda builder, word: builder.ctpop(word), "The number of set bits.")
lowest = word_function(lambda builder, word: builder.cttz(word, TRUE), "The index of the lowest set bit; there is one.")
width = word_function(lambda builder, word: builder.sub(LONG(128), builder.ctlz(word, FALSE)), "The bit length.")
lower = word_function(lambda builder, word: split_halves(builder, word)[0], "The lower half of a word.")
upper = word_function(lambda builder, word: split_halves(builder, word)[1], "The upper half of a word.")
