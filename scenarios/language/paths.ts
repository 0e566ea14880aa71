/** Paths of files that a scenario names. */

/** A path below the folder of the file that names it. */
export const BELOW_FOLDER = /^(?!\/)(?!.*\.\.)[\w./ -]{1,200}$/;

export const BELOW_FOLDER_ALLOWED = 'a path below the folder of the file that names it';
