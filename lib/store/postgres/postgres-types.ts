import pg from 'pg'

const INT8_OID = 20

/** pg gives int8 (our times and counts) as strings; they fit a number. Not set globally: other users of pg may differ. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
