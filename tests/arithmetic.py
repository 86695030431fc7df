"""Operations on two numbers, for tests of compiled arithmetic; functions, since rules are."""


def adds(a, b):
    return a + b


def subtracts(a, b):
    return a - b


def multiplies(a, b):
    return a * b


def floors(a, b):
    return a // b


def remains(a, b):
    return a % b
