/** Reports are made anew no more often than somebody can read them. */
const LEAST_MS = 400
/** Of so many trials a report costs a page next to nothing. */
const EASY = 2_000

/** Milliseconds until the next report of a lab with so many records: a large one is made less often, so that all of them cost no more than the trials. */
export const reportPaceMs = (records: number): number => LEAST_MS * Math.max(1, records / EASY)
