/*
 * What the oldest browsers that the README names don't have, and a compiler that knows all of ECMAScript lets pass. A name is added here
 * when someone could think of it; what is built into a package is not looked at.
 */
const newer: readonly RegExp[] = [
  /\bPromise\.try\b/g,
  /\bRegExp\.escape\b/g,
  /\bError\.isError\b/g,
  /\bMath\.sumPrecise\b/g,
  /\bIntl\.DurationFormat\b/g,
  /\bTemporal\.\w+/g,
  /\bscheduler\.(?:yield|postTask)\b/g,
  /\b(?:URL|Document)\.parse(?:HTML)?\(/g,
  /\bUint8Array\.from(?:Base64|Hex)\b/g,
  /\.to(?:Base64|Hex)\(/g,
  /\.getOrInsert(?:Computed)?\(/g,
  /\bIterator\.(?:from|concat|zip)\b/g,
  // Without arguments these give an iterator, whose helpers are younger than it.
  /\.(?:entries|keys|values)\(\)\s*\.(?:map|filter|find|some|every|take|drop|flatMap|reduce|toArray|forEach)\(/g,
  // A stream of bytes is read by `readLines` or by its reader: no Safari before 26 goes over it.
  /\bfor await \([^)]*\bof [\w.]+\.(?:body|readable|stream\(\))\)/g,
]

/** The places of a source that call what an old browser lacks, as they are written. */
export const newerThanBrowsers = (source: string): readonly string[] =>
  newer.flatMap((pattern) => source.match(pattern) ?? [])
