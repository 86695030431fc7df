"""The engines that run a game's rules, and the checks that they agree."""
