/** A file that a search means. */
export interface MeantFile {
  readonly path: string
  readonly size: number
  readonly version: string
}

/** What was left out and why, for the note of the result. */
export interface LeftOut {
  files: number
  binary: number
  large: string[]
  /** Documents whose text was not there and would have taken too long. */
  documents: string[]
  stoppedAtFiles: boolean
  stoppedAtBytes: boolean
}

export const nothingLeftOut = (): LeftOut => ({
  files: 0,
  binary: 0,
  large: [],
  documents: [],
  stoppedAtFiles: false,
  stoppedAtBytes: false,
})

export interface FileToSearch {
  readonly path: string
  readonly data: Uint8Array
  /** How many of the files that are meant had been come to, this one included. */
  readonly nth: number
}
