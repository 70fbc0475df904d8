const words = ['', 'once', 'twice', 'three times', 'four times', 'five times', 'six times', 'seven times']

export const timesWords = (count: number): string => words[count] ?? `${count} times`
