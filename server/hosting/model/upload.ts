/** Folder that an application's owner uploaded. */
export interface Upload {
  upload_id: string;
  /** SHA-256 of the uploaded folder's content. */
  sha256: string;
  /** Number of files and links in the uploaded folder. */
  files: number;
  /** Size of all files in the uploaded folder together, in bytes. */
  bytes: number;
  uploaded_at: string;
}
