"""A model folder of the owner's, in the layout of sentence-transformers, run by onnxruntime."""
