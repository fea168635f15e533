/** Texts for newcomers: how to get access, and how to play. */
export const ACCESS_TEXT = {
  accessCode: {
    title: 'Access code',
    lead: 'Enter the code you got from a player or from us.',
    leadToPlay:
      'One step left: during the beta you play with an access code from a player or from us. You can also win one in the daily raffle.',
    hint: '3 to 6 characters',
    connectFirst: 'Connect wallet',
    placeholder: 'Enter code',
    unlock: 'Unlock',
    checking: 'Checking...',
    granted: 'Access Granted',
    grantedLead: 'Your wallet is in. Pick a lobby, or tell people first.',
    share: 'Share',
    sharePost: 'I am in the Engulf beta. Eat, grow, leave through a portal with the bag.',
    pickLobby: 'Pick a lobby',
  },

  earlyAccess: {
    title: 'Get early access',
    lead: 'Two ways in: an access code, or a win in the daily raffle.',
  },
  tasks: {
    title: 'Social tasks',
    done: (done: number, all: number) => `${done} of ${all} done`,
    none: 'There are no tasks at the moment.',
    queuedText: 'We are checking whether it is done.',
    notConfirmed: (task: string) => ({
      title: `Not confirmed: ${task}`,
      text: 'We looked several times and did not find it. Do it with the account that you connected, then press again.',
    }),
    allDone: 'All tasks done',
    allDoneText: 'You may enter the raffle.',
    xConnected: 'X account connected',
    actions: {
      connect: 'Connect',
      follow: 'Follow',
      like: 'Like',
      retweet: 'Repost',
      join: 'Join',
      other: 'Open',
    },
    states: { verifying: 'Verifying', pending_user_update: 'Connecting', verified: 'Done' },
  },
  raffle: {
    title: 'Daily raffle',
    lead: 'Draw at 00:00 UTC, all tasks required',
    notOffered:
      'It takes a connected X account, and this server does not offer that. An access code gets you in.',
    entered: 'You are in. Draw at 00:00 UTC.',
    lost: 'Not drawn last time. Enter again today.',
    countdown: 'Time until the draw at 00:00 UTC',
    hours: 'hours',
    minutes: 'min',
    seconds: 'sec',
    enter: 'Enter raffle',
    enteredAction: 'Entered',
    proof: 'How winners are drawn',
    wonLead: 'You won the raffle. Your wallet is in. Pick a lobby, or tell people first.',
  },

  guide: {
    title: 'How to Play',
    lead: 'Eat, grow, and leave through a portal with what you carry.',
    film: 'A match: a cell eats, grows, splits and leaves through a portal',
    start: 'Start the film',
    pause: 'Pause the film',
    close: 'Got it',
    more: 'What you carry is your bounty: whoever eats you takes it, and a portal pays it out. Leaving otherwise returns at most your stake.',
    allRules: 'All rules, bounties and fees',
    rules: {
      move: { name: 'Move', text: 'Your cell follows the mouse. Big cells are slower.' },
      eat: { name: 'Eat', text: 'Swallow food and cells when you are at least 1.3 times as heavy.' },
      split: {
        name: (key: string) => `${key} splits`,
        text: 'Half of you shoots forward. The pieces merge again later.',
      },
      eject: {
        name: (key: string) => `${key} ejects mass`,
        text: 'Feed others, lure them, or push a virus away.',
      },
      virus: {
        name: 'Mind the virus',
        text: 'A big cell that touches one bursts. Small cells hide behind it.',
      },
      portal: { name: 'Leave by portal', text: 'Portals open in waves. Reach one and cash out your bounty.' },
    },
  },
} as const;
