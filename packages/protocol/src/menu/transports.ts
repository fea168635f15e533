/**
 * How the page opens the menu socket: by a WebSocket, which is one connection to one process, so any proxy may choose
 * which. Where a network does not let WebSockets through it polls, and then all its requests have to meet one process.
 */
export const MENU_TRANSPORTS = { transports: ['websocket', 'polling'], tryAllTransports: true };
