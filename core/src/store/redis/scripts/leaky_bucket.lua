-- Leaky bucket: the instant is when the bucket has run empty. A reservation may not wait too long
-- for the water that is there.
return bucket_run()
