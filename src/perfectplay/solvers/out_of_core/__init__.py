"""Out-of-core solving, for games larger than RAM: on disk, by processes of one machine or of a cluster."""
