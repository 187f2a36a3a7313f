"""Figures of a report: each module draws one topic from plain values and returns a `Drawing`.

Drawn with Matplotlib's object API on the Agg and SVG backends, imported only when a figure is made, and without any
global state of pyplot.  Every figure exists in two widths (page and phone); the same values give the same bytes.
"""
