/*
 * The way for files that are in the page already, such as a picture that a tool made, into the next message. The composer's list
 * of attached files takes them.
 */

/** Takes files into the list; they are read when it takes them. */
type TakeFiles = (files: Promise<readonly File[]>) => void

let taker: TakeFiles | null = null

/** Until the returned function is called. */
export function takeFilesInto(take: TakeFiles): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}

/** False: no message can take files now. */
export function attachToMessage(files: Promise<readonly File[]>): boolean {
  taker?.(files)
  return taker !== null
}
