/** True for the pages of the chat, `/` and `/c/<id>`, without a base path. */
export const isChatPath = (path: string): boolean => /^\/(?:c\/.*)?$/.test(path)

/** Names the build that gave a response of the API. */
export const buildHeader = 'x-nod-build'

/** On a view of a temporary chat: the service worker must not cache it. */
export const temporaryHeader = 'x-nod-temporary'

/**
 * Names the user of the page with each request: a mark of the owner, empty for a browser without an account. A server
 * that finds another user in the cookies refuses, so that no message is sent in another user's name.
 */
export const whoHeader = 'x-nod-who'

/**
 * Marks a page that replaces the requested one because the user has no access, so that no cache stores it as that page.
 */
export const insteadHeader = 'x-nod-instead'
