/** Receives sentences for users while a snapshot is built. Apart from the code, so that published types lead to none of the database. */
export type ProgressListener = (message: string) => void
