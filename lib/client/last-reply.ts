// What the last reply asks of the person, as one part to load.
export { firstAsk, waitingCount, type FirstAsk } from './waiting'
export { writingOn, writingOnWords } from './writing-on'
