/** Raised with every change of a message or of the netcode that an older client would misread. */
export const PROTOCOL_VERSION = 10;
