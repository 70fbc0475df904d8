/** Models write names loosely, in another case and with other joints: tools whose names fold alike are one to them. */
export const foldToolName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')
