// What the last reply asks of the person, as one part to load.
export { firstAsk, waitingCount, type FirstAsk } from './waiting'
export { emptyReply, lacksOf, type EmptyReply } from './empty-reply'
export { writingOn, pendingCallsText } from './pending-calls-on-send'
