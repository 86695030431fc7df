"""Rules and search as WebAssembly: the text that numba compiles for the CPU, for a browser.

`wasm_binary` writes modules, `wasm_functions` translates functions over 64-bit integers, `wasm_search` puts together
the rules of a game and the search.
"""
