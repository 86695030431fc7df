"""Players from outside: functions in files, programs, other libraries."""
