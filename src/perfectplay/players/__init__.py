"""Players: functions position -> move, each made by a small factory for a seat, found by name or in a user's file."""
