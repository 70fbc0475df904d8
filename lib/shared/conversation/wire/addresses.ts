/** True for the pages of the chat, `/` and `/c/<id>`, without a base path. */
export const isChatPath = (path: string): boolean => /^\/(?:c\/.*)?$/.test(path)

/** Names the build that gave an answer of the API. */
export const buildHeader = 'x-nod-build'

/** On a view of a temporary chat: the service worker must not keep it. */
export const temporaryHeader = 'x-nod-temporary'
