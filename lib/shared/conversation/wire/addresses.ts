/** True for the pages of the chat, `/` and `/c/<id>`, without a base path. */
export const isChatPath = (path: string): boolean => /^\/(?:c\/.*)?$/.test(path)

/** Names the build that gave a response of the API. */
export const buildHeader = 'x-nod-build'

/** On a view of a temporary chat: the service worker must not cache it. */
export const temporaryHeader = 'x-nod-temporary'
