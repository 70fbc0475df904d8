/**
 * Says with each request as whom its page was made: a mark of the owner, empty for a browser without an account. A server that
 * finds somebody else behind the cookies refuses, so that nobody's words are sent in another's name.
 */
export const whoHeader = 'x-nod-who'

/** On a page that stands in the place of the one that was asked for, since whoever asks is not let in: nobody keeps it as that one. */
export const insteadHeader = 'x-nod-instead'
