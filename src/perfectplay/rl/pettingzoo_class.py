"""The class of the environments; it imports PettingZoo, so import this module only where that is there."""

from typing import Any

from pettingzoo import AECEnv

from perfectplay.rl.episode import METADATA, Episode, Observation, Screen
from perfectplay.words import FIRST, SECOND, BadArgument

AGENTS = ("player_0", "player_1")
"""The agents, by side."""


class PlayersEnv(AECEnv):  # type: ignore[misc]
    """A game of two agents, who act in turn."""

    def __init__(self, episode: Episode, render_mode: str | None) -> None:
        super().__init__()
        self.episode, self.screen, self.render_mode = episode, Screen(render_mode), render_mode
        self.metadata = {**METADATA, "is_parallelizable": False, "name": f"perfectplay/{episode.game.name}"}
        self.possible_agents: list[str] = [*AGENTS]
        self.agents: list[str] = []
        self.action_spaces = dict.fromkeys(AGENTS, episode.action_space)
        self.observation_spaces = dict.fromkeys(AGENTS, episode.observation_space)
        self.started = False

    def observation_space(self, agent: str) -> Any:
        """The space of the agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the agent's actions, the numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; nothing is random, so the seed changes nothing."""
        self.episode.reset(options)
        self.agents, self.started = [*AGENTS], True
        self._skip_agent_selection = None
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.tell_agents()

    def step(self, action: Any) -> None:
        """Makes the move of the agent whose turn it is; None takes an agent out whose game has ended."""
        self.check_started()
        if not self.agents:
            raise BadArgument(f"the episode is over in {self.episode.text()}; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise BadArgument(f"{agent} has no move in {self.episode.text()}, where the game has ended; step(None)")
            self._was_dead_step(None)
            return
        self.episode.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.tell_agents()
        self._accumulate_rewards()

    def tell_agents(self) -> None:
        """Tells the agents where the game stands."""
        episode = self.episode
        sides = list(zip(AGENTS, (FIRST, SECOND), strict=True))
        self.rewards = {agent: episode.reward_of(side) if episode.ended else 0.0 for agent, side in sides}
        self.terminations = dict.fromkeys(AGENTS, episode.over)
        self.truncations = dict.fromkeys(AGENTS, episode.cut)
        self.infos = {agent: episode.info(side) for agent, side in sides}
        self.agent_selection = AGENTS[episode.side]
        self.screen.update(episode)

    def observe(self, agent: str) -> Observation:
        """What the agent sees now."""
        self.check_started()
        return self.episode.observation(AGENTS.index(agent))

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents in the order of their turns."""
        self.check_started()
        return super().agent_iter(max_iter)

    def render(self) -> Any:
        """The board in the render mode of this environment."""
        self.check_started()
        return self.screen.render(self.episode)

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def check_started(self) -> None:
        """Raises BadArgument before the first reset."""
        if not self.started:
            raise BadArgument("no episode has begun; call reset() first")
