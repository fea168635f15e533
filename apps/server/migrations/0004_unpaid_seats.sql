ALTER TABLE "entries" ADD COLUMN "address_hash" text;--> statement-breakpoint
CREATE INDEX "entries_address_hash_created_at_index" ON "entries" USING btree ("address_hash","created_at");