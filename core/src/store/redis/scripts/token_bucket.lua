-- Token bucket: the instant is when the bucket is full again. A reservation may go further ahead.
return bucket_run()
