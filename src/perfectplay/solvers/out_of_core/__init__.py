"""Out-of-core solving, for games larger than RAM: on disk, by processes of one or many machines (docs/cluster.md)."""
