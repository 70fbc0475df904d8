export const waitingWords = (count: number): string =>
  count === 1 ? '1 call waits for you' : `${count} calls wait for you`
