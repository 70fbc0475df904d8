/*
 * Features that the oldest browsers in the README lack, and that a compiler with all of ECMAScript accepts. A feature
 * is listed here once someone could use it; code inside packages is not checked.
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
  // Without arguments these return an iterator, and iterator helpers are newer than that.
  /\.(?:entries|keys|values)\(\)\s*\.(?:map|filter|find|some|every|take|drop|flatMap|reduce|toArray|forEach)\(/g,
  // A byte stream is read with `readLines` or its reader: Safari before 26 can't iterate it.
  /\bfor await \([^)]*\bof [\w.]+\.(?:body|readable|stream\(\))\)/g,
]

/** The places in a source that use features missing in old browsers, as written. */
export const newerThanBrowsers = (source: string): readonly string[] =>
  newer.flatMap((pattern) => source.match(pattern) ?? [])
