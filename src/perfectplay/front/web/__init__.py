"""The page: play and explore any game in the browser, served to this machine.

A request is a straight line: text -> notation -> position -> look-up -> text. The server keeps no game; the position
is in the request. What takes long is done by worker processes.
"""
