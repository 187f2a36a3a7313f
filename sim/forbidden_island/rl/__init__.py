"""Forbidden Island for reinforcement learning: `pip install islandlab[rl]`, then

    from sim.forbidden_island.rl import forbidden_island_v0
    env = forbidden_island_v0.env(players=3, difficulty="novice")

Nothing else imports this package, so that PettingZoo and Gymnasium are no run-time dependencies.
"""
