"""Balance reports: from a run folder to one self-contained page, its pictures and its tables.

A report reads the folder and nothing else. `reading` opens it piece by piece, `analysis` hands the pieces to the
statistics, the section modules turn numbers into words and pictures, `builder` writes the files. `compare` does the
same for two runs.
"""
