/** Every text of the replay viewer. */
export const REPLAY_TEXT = {
  title: (lobby: string) => `Replay of ${lobby}`,
  loading: 'Loading the recording',
  back: 'Back to the menu',
  tryAgain: 'Try again',
  verify: 'Verify',
  share: 'Copy link to this moment',
  shared: 'Link copied',
  unknown: '…',
  failures: {
    unknown: {
      title: 'There is no such match',
      text: 'The link may be incomplete, or the match may be gone.',
    },
    running: {
      title: 'This match is still running',
      text: 'It can be watched when it has ended: until then, its recording would help the players.',
    },
    unplayed: {
      title: 'Nobody has played',
      text: 'This match ended without a player, so nothing was recorded.',
    },
    damaged: { title: 'This recording cannot be played', text: 'It is damaged or was changed.' },
    server: { title: 'Server is not available', text: 'Try again in a moment.' },
  },
  controls: {
    label: 'Playback',
    play: 'Play',
    pause: 'Pause',
    mute: 'Mute',
    unmute: 'Unmute',
    earlier: 'Previous keyframe',
    later: 'Next keyframe',
    speed: 'Speed',
    speedOf: (speed: number) => (speed < 1 ? `1/${1 / speed}×` : `${speed}×`),
    time: 'Time',
    timeText: (now: string, end: string) => `${now} of ${end}`,
    cut: 'The server was killed here; everybody alive got their bounty back.',
  },
  marks: {
    kill: (killer: string, victim: string) => `${killer} ate ${victim}`,
    cashout: (name: string, amount: string) => `${name} cashed out ${amount}`,
    wave: (count: number) => (count === 1 ? 'A portal opens' : `${count} portals open`),
    at: (what: string, time: string) => `${what}, ${time}`,
  },
  players: {
    title: 'Players',
    free: 'Free camera',
    follow: (name: string) => `Follow ${name}`,
    gone: 'not in the arena now',
    mass: 'Mass',
  },
  keys: [
    ['Space', 'Play or pause'],
    ['J L', '5 s back, forward'],
    ['[ ]', 'Keyframe'],
    ['- +', 'Speed'],
    ['F', 'Follow the largest'],
    ['WASD', 'Free camera'],
  ],
  differs: (what: string, tick: number) =>
    `This recording is not what the arena does: ${what}, first at tick ${tick}.`,
} as const;
