/**
 * Models write names loosely, in another case and with other joints: `fs.read_file`, `Fs/readFile`. Tools whose names fold alike are
 * one to them.
 */
export const foldToolName = (name: string): string => name.toLowerCase().replaceAll(/[_\-.:/]/g, '')
