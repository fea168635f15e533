/** The pages that stand in for the menu. */
export const BLOCKER_TEXT = {
  blockers: {
    loading: 'Loading Engulf',
    returning: 'Returning to your match',
    server: {
      title: 'Server is not available',
      text: 'We cannot reach the game right now. Your money has not moved. Try again in a moment.',
      action: 'Check again',
    },
    mobile: {
      title: 'Engulf needs a bigger screen',
      text: 'Mobile is not supported. Open the game in a desktop browser, in a window that is at least 1100 pixels wide.',
    },
    narrowMatch: {
      title: 'This window is too narrow',
      text: 'Your match continues. Make the window at least 1100 pixels wide.',
    },
    region: {
      title: 'Not available in your region yet',
      text: 'Engulf is not open where you are connecting from. Follow us on X to hear when that changes.',
      source: 'IP Geolocation by DB-IP',
    },
    beta: { title: 'Beta is closed. Devs are cooking', text: 'We post the next opening on X first.' },
    upgrade: {
      title: 'Game is getting an upgrade',
      text: (window: string, localEnd: string) =>
        `Maintenance runs from ${window}, until ${localEnd} by your clock. Lobbies reopen when it ends.`,
      unplanned: 'This is outside of the usual hours. Lobbies reopen when it is done; this page notices.',
      backIn: (span: string) => `Back in ${span}`,
      action: 'Check again',
    },
    outdated: {
      title: 'A new version is out',
      text: 'Please refresh the page.',
      action: 'Reload Page',
    },
  },
} as const;
