/** What a route is for. Every route of the API has a line here; a test compares. */
export type RouteText = {
  readonly group: string;
  readonly text: string;
  /** The parts of a form, for a body that is not JSON. */
  readonly form?: { readonly [part: string]: string };
  /** The type of an answer that is not JSON. */
  readonly answer?: string;
};

const group = (name: string, routes: { readonly [route: string]: string | Omit<RouteText, 'group'> }) =>
  Object.entries(routes).map(([route, about]): [string, RouteText] => [
    route,
    { group: name, ...(typeof about === 'string' ? { text: about } : about) },
  ]);

export const ROUTE_TEXTS: ReadonlyMap<string, RouteText> = new Map([
  ...group('Start', {
    'GET /api/config': 'What the page needs before anyone signs in: chain, program, fee, prices.',
    'GET /api/auth/countries-list': 'What operators have closed: countries, the beta, everything.',
    'GET /api/geo': "The country of the caller's address.",
    'POST /api/dev/faucet': 'Test money of the embedded chain. Not in production.',
  }),
  ...group('Account', {
    'GET /api/auth/nonce': 'What the wallet is asked to sign.',
    'POST /api/auth/sign-in': 'Trades the signed message for a session cookie.',
    'POST /api/auth/sign-out': 'Ends the session.',
    'POST /api/auth/sign-out-everywhere': 'Ends all sessions of the user, in every browser.',
    'GET /api/auth/profile': 'The signed-in user.',
    'PUT /api/auth/profile/name': 'Changes the name.',
    'PUT /api/auth/profile/avatar': {
      text: 'Changes the picture.',
      form: { image: 'PNG or JPG. It is decoded and drawn again.' },
    },
    'PUT /api/auth/profile/colour': 'Chooses the colour of the cell, from the next match on.',
    'GET /avatars/:name': { text: 'A picture of a player.', answer: 'image/png' },
    'POST /api/auth/profile/guided': 'The user has seen the guide.',
    'POST /api/referral/submit': 'Redeems an access code.',
    'GET /api/limits': 'What the user has set: deposits a day, a break.',
    'PUT /api/limits/deposit': 'Sets a limit for deposits. A looser one applies after 24 hours.',
    'POST /api/limits/break': 'Takes a break from paid lobbies, which cannot be undone.',
  }),
  ...group('Entry', {
    'POST /api/serverBrowser/join-lobby':
      'Asks for a seat; called again with the signature of the transaction, claims the payment for it.',
    'POST /api/serverBrowser/rejoin': 'A ticket back into the running match.',
    'GET /api/payment/payment-status':
      'How far a payment is. Once it is verified, the answer has the ticket.',
    'POST /api/serverBrowser/gather':
      'Waits for others in a paid lobby that is nearly empty, without paying. Stay connected to the menu socket meanwhile: it tells when enough are there and half a minute to pay begins.',
    'POST /api/serverBrowser/leave-gathering': 'Stops waiting.',
    'POST /api/serverBrowser/payment-failure': 'Frees the seat after the wallet did not pay.',
    'POST /api/serverBrowser/validate-lobby-code': 'Whether a code opens a semi-private lobby.',
  }),
  ...group('Games and statistics', {
    'GET /api/dashboard/games_history': "The user's payouts, newest first.",
    'GET /api/dashboard/list_activity': 'How the latest paid games ended.',
    'GET /api/dashboard/records': "The best of the user's lives, in free lobbies and for money apart.",
    'GET /api/dashboard/statistics': 'Sums over all games of the user.',
    'POST /api/upload': {
      text: 'Shares a cash-out. The card is drawn by the server; sharing a game again gives the same key.',
      form: {
        file: 'The card as PNG, at most 2400 x 1260 pixels and 8 MB, for the latest cash-out. Checked, not kept.',
        entryId: 'The game, if it is not the latest cash-out. Then no file is needed.',
      },
    },
    'GET /join/:id/card': {
      text: 'The picture that other sites show of an invitation.',
      answer: 'image/png',
    },
    'GET /join/:id': {
      text: 'The page, for whoever follows an invitation into a lobby.',
      answer: 'text/html',
    },
    'GET /winningshare/*': { text: 'The public page of a shared cash-out.', answer: 'text/html' },
    'GET /share-cards/:name': { text: 'The card of a shared cash-out.', answer: 'image/png' },
  }),
  ...group('Fair play', {
    'POST /api/integrity/report': 'Reports a player of a match that both have played in.',
    'GET /api/integrity/notices': 'Warnings, and what came of the reports of the user.',
    'POST /api/integrity/notices/read': 'The user has read them.',
    'GET /api/integrity/numbers': 'How many cases were opened, acted on and dismissed, by month.',
    'GET /integrity': { text: 'The same numbers and the rules, as a page.', answer: 'text/html' },
  }),
  ...group('Early access', {
    'GET /api/tasks/get-all': 'The tasks, for visitors.',
    'GET /api/tasks/get-all-auth': 'The tasks, and how far the user is with them.',
    'POST /api/tasks/complete': 'Reports a task as done. It is verified afterwards.',
    'GET /api/tasks/open': { text: 'Redirects to the target of a task.', answer: 'redirect' },
    'GET /api/twitter/login': 'The page of X to send the browser to.',
    'GET /api/twitter/verify': 'Connects the X account after X has redirected back.',
    'GET /api/dashboard/raffle': 'Whether the user is in the raffle, and how it ended.',
    'POST /api/dashboard/raffle': 'Enters the raffle of the day.',
    'POST /api/dashboard/raffle/seen': 'The winner has seen the news.',
    'GET /api/raffle/:day': 'All that is needed to check a draw.',
    'GET /raffle/:day': { text: 'The same as a page.', answer: 'text/html' },
  }),
  ...group('Chat', {
    'GET /api/chat/history/:lobbyId': 'Messages of a channel, page by page.',
    'POST /api/chat/remove': 'Removes a message. For admins.',
  }),
  ...group('Console', {
    'GET /api/console': 'Who the operator is and what they may look at. For operators and admins.',
    'GET /api/console/view': 'What a view of the console shows.',
    'POST /api/console/changes': 'Tries a change and says what it would do, and what to sign for it.',
    'POST /api/console/changes/sign': 'Makes the change that the wallet of the operator has signed.',
  }),
  ...group('Matches', {
    'GET /api/matches': 'All matches, newest first.',
    'GET /api/matches/:id':
      'A match: commitment, block, secret, and its entries with their payouts, page by page. Of one that runs, what is older than ten minutes.',
    'GET /api/matches/:id/facts': {
      text: 'The same with all its entries, in one compressed file.',
      answer: 'application/json',
    },
    'GET /api/matches/:id/recording': {
      text: 'The recording. Of a match that runs, what is older than ten minutes.',
      answer: 'application/octet-stream',
    },
  }),
  ...group('Solvency', {
    'GET /api/solvency': 'The pools on the chain beside what is owed.',
    'GET /api/solvency/history': 'Earlier readings of a pool.',
  }),
]);
