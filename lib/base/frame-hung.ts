/**
 * An event of the page: a sealed frame stopped answering and was taken away. Sealed frames share one process, which ends
 * with the last of them, so whoever keeps an idle one lets it go.
 */
export const frameHung = 'nod-frame-hung'
