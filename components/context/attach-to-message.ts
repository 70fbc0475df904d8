/*
 * Attaches files that are already in the page, such as a picture made by a tool, to the next message. The composer's
 * file list receives them.
 */

/** Adds files to the list, which then reads them. */
type TakeFiles = (files: Promise<readonly File[]>) => void

let taker: TakeFiles | null = null

/** Receives files until the returned function is called. */
export function takeFilesInto(take: TakeFiles): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}

/** False if no message can take files now. */
export function attachToMessage(files: Promise<readonly File[]>): boolean {
  taker?.(files)
  return taker !== null
}
