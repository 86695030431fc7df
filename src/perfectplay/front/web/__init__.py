"""The server of the page: play and explore any game in the browser.

A request is a straight line: text -> notation -> position -> look-up -> text. The server is stateless: the position is
in the request. Worker processes do what takes long.
"""
