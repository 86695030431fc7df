"""Players that are programs of their own and speak UGI, the Universal Game Interface: `cmd:./mybot --fast`."""
